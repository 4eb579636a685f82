// The HTML and CSS of this folder by their names: the server puts the texts here, see pages/shared/server/js_bundle.py.

export const files = /** @type {Record<string, string>} */ (/** @type {unknown} */ ("__FILES__"));
