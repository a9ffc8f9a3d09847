/** The version of the package, which a test compares with its package.json. */
export const version = '0.1.0';
