// @ts-check

/**
 * The folder that an address means: a site's own, or that of its page or its manifest.
 * @param {URL} address
 */
export function folderOf(address) {
  const folder = new URL(address);
  folder.search = "";
  folder.hash = "";
  folder.pathname = folder.pathname.replace(/\/(?:index\.html|campanile\.json)$/, "/").replace(/\/?$/, "/");
  return folder;
}
