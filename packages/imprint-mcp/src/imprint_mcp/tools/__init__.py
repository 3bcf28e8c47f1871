"""The tools, a module a family. Each module has `add_tools(server, session)`."""
