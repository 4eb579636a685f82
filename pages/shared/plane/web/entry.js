// All that travels with each figure: where the component's code lies on this server. The rest of it is fetched once.
const root = new URL(".", document.baseURI);
const here = (/** @type {string} */ path) => new URL(path, root).href;
const { modules } = await import(here("__BUNDLE__"));
modules.theme.setThemes("__THEMES__");
const channel = Object.assign(new URL("live", root), { protocol: root.protocol.replace("http", "ws") });
export default modules.view.configure(here("__PLOTLY__"), channel.href);
