/** The version of the API's description. */
export const API_VERSION = '1.0.0';
