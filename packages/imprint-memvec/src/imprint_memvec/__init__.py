"""The embedded default model of Imprint: its weights as package data, and the plugin that loads them."""
