/**
 * The element of a component's HTML with the class "svm-" + name.
 * @param {Element} root
 * @param {string} name
 * @returns {any} an element; which kind, the HTML says
 */
export function part(root, name) {
  const found = root.querySelector(`.svm-${name}`);
  if (!found) throw new Error(`Expected an element .svm-${name} in ${root.className}.`);
  return found;
}
