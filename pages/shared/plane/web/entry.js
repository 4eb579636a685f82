// All that travels with each figure: where the component's code lies on this server. The rest of it is fetched once.
const scripts = [...document.scripts].map(({ src }) => src);
const root = new URL("../../", scripts.find((src) => src.includes("/static/js/")) ?? "");
const here = (/** @type {string} */ path) => new URL(path, root).href;
const load = (/** @type {string} */ name) => import(here(`component/__NAME__/${name}`));
// not one after the other; the document names them, too, unless it is older than the first picture of its server
const named = document.querySelector('link[rel=modulepreload][href*="/__NAME__/"]');
for (const name of named ? [] : /** @type {string[]} */ (/** @type {unknown} */ ("__MODULES__"))) {
  const ahead = { rel: "modulepreload", href: here(`component/__NAME__/${name}`) };
  document.head.append(Object.assign(document.createElement("link"), ahead));
}
const [{ view }, { know }] = await Promise.all([load("view.js"), load("theme.js")]);
know("__THEMES__");
const channel = Object.assign(new URL("live", root), { protocol: root.protocol.replace("http", "ws") });
export default view(/** @type {string[]} */ (/** @type {unknown} */ ("__SOURCES__")).map(here), channel.href);
