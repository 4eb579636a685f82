"""The component that shows a Plotly figure and updates it in place, its point editor, its transport for films."""
