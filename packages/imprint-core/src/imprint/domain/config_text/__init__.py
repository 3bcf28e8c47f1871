"""Edits of other people's configuration, as text: what is not ours keeps every byte.

Each format has a module. None of them renders a document anew: they find the place and change that alone, so comments,
order, indentation and line ends stay. What cannot be edited so is refused.
"""
