"""What the shell must provide, as `typing.Protocol` classes; adapters meet them, services speak only through them."""
