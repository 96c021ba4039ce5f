/** The name of the bundle in a folder that also has its files. */
export const BUNDLE_NAME = 'bundle.ndjson';
