"""The plugins that Imprint brings along; they are loaded exactly as strangers' are."""
