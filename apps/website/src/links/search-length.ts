/** Characters of the header's search field; longer searches are cut. */
export const MAX_SEARCH_LENGTH = 200;
