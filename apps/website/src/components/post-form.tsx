import { randomBytes } from 'node:crypto';
import type { ComponentChildren, JSX } from 'preact';
import { useVisit } from '../rendering/visit-context';

interface PostFormProps extends Omit<JSX.HTMLAttributes<HTMLFormElement>, 'action' | 'method'> {
  readonly action: string;
  /** Of a form that is sent again: the number it had, so that it is carried out once even so. */
  readonly number?: string | undefined;
  readonly children?: ComponentChildren;
}

/**
 * A form that changes something. It carries its token, and a number by which the API carries it out once, however
 * often it is sent. Enhanced in the browser where it has `data-enhance` (browser/dom/forms.ts).
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
