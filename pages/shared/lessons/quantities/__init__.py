"""Quantities that a prompt can ask for: one registry; each is computed from the points and machines of the prompt.

A quantity is a function of a `Case` and of arguments with defaults. Frequent arguments: `loss`, the machine ("" for
the first one of the prompt); `of`, whether it is measured "before" or "after" the change. To add one: a function with
`@quantity`, or a row for `register`; its defaults say which arguments a lesson may set.
"""
