// Words in `service-worker.js` that are replaced when a site is written; the version, which changes
// whenever a file of the shell does, stands inside quotes and needs no type.

/** The files of the shell, relative to the site. */
declare const __CAMPANILE_FILES__: string[];

/** Whether the page is to be cross-origin isolated. */
declare const __CAMPANILE_ISOLATED__: boolean;
