/**
 * The element of a component's HTML with the class "svm-" + name.
 * @param {Element} root
 * @param {string} name
 * @returns {any} an element, of the kind that the HTML has
 */
export function part(root, name) {
  const found = root.querySelector(`.svm-${name}`);
  if (!found) throw new Error(`Expected an element .svm-${name} in ${root.className}.`);
  return found;
}

/**
 * A new element with these properties, and others inside.
 * @param {string} tag  @param {object} properties  @param {any[]} inside
 * @returns {any}
 */
export function make(tag, properties = {}, ...inside) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...inside);
  return element;
}

/**
 * Where a pointer is on an element, in pixels.
 * @param {Element} area
 * @returns {[number, number]}
 */
export function pixelOn(area, { clientX, clientY }) {
  const box = area.getBoundingClientRect();
  return [clientX - box.left, clientY - box.top];
}
