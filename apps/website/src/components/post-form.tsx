import { randomBytes } from 'node:crypto';
import type { ComponentChildren, JSX } from 'preact';
import { useVisit } from './visit-context';

interface PostFormProps extends Omit<JSX.HTMLAttributes<HTMLFormElement>, 'action' | 'method'> {
  readonly action: string;
  /** For a form that is sent again: its previous number, so that it is executed only once. */
  readonly number?: string | undefined;
  readonly children?: ComponentChildren;
}

/**
 * A form that changes something. It contains the form token, and a number that makes the API execute it only once,
 * however often it is sent. With `data-enhance`, scripts send it (browser/dom/forms.ts).
 */
export function PostForm({ action, number, children, ...attributes }: PostFormProps): JSX.Element {
  const { visit } = useVisit();
  return (
    <form {...attributes} action={action} method="post">
      <input type="hidden" name="_token" value={visit.formToken()} />
      <input type="hidden" name="_form" value={number ?? randomBytes(9).toString('base64url')} />
      {children}
    </form>
  );
}
