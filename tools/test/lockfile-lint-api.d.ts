/** The part of lockfile-lint-api that we use; the package has no types. */
declare module 'lockfile-lint-api' {
  interface Packages {
    readonly packages: Readonly<Record<string, object>>;
  }
  interface Verdict {
    readonly type: 'success' | 'error';
    readonly errors: readonly { readonly message: string; readonly package: string }[];
  }
  export class ParseLockfile {
    constructor(options: { readonly lockfilePath: string });
    parseSync(): { readonly type: string; readonly object: Readonly<Record<string, object>> };
  }
  export class ValidateHttps {
    constructor(options: Packages);
    validate(): Verdict;
  }
  export class ValidateScheme {
    constructor(options: Packages);
    validate(schemes: readonly string[]): Verdict;
  }
  export class ValidateIntegrity {
    constructor(options: Packages);
    validate(options: { readonly integrityExclude: readonly string[] }): Verdict;
  }
}
