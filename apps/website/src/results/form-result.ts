import type { VNode } from 'preact';

export interface FormResultOptions {
  /** Path within the site to which the visitor is sent. */
  readonly goTo: string;
  /** One line for the visitor. */
  readonly notice?: string;
  /** For scripts: markup to insert instead of leaving the page. */
  readonly fragment?: VNode;
  /** For scripts: data. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/**
 * The result of a form that was executed. A browser is redirected (303), so going back or reloading sends nothing
 * twice; a script gets JSON: `{notice, location, html, …data}`.
 */
export class FormResult {
  constructor(readonly options: FormResultOptions) {}
}
