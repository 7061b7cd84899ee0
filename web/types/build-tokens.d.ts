// Words in `service-worker.js` that are replaced when a site is written.

/** Changes whenever a file of the shell changes; written as a bare word inside quotes. */
declare const __CAMPANILE_FILES__: string[];
