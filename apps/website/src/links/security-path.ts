/** The settings of passwords and second factors. */
export const SECURITY_PATH = '/settings/security';
