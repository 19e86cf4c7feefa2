/** The path to which the share sheets of phones send files. `browser/sharing/shared-files.ts` has the same. */
export const SHARE_PATH = '/share';
