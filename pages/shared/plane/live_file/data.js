// Losses, kernels, colours and templates of pictures, as docs/live_bundle.py writes them.

/** @type {any} */
export const data = "__DATA__";
