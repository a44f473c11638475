"""How well whole websites are found: webs whose sites have labels, methods, and what each came to."""
