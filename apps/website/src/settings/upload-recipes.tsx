import type { JSX } from 'preact';
import { CopyField } from '../components/copy-field';

interface UploadRecipesProps {
  /** Address of the upload endpoint. */
  readonly upload: string;
  readonly token: string;
  /** Whether the token may upload and nothing else, so that an address may hold it. */
  readonly onlyUploads: boolean;
}

/** How programs upload with a new token. docs/clients.md describes the APIs that the upload host speaks. */
export function UploadRecipes({ upload, token, onlyUploads }: UploadRecipesProps): JSX.Element {
  const host = upload.replace(/\/api\/v1\/media$/, '');
  const header = `Authorization: Bearer ${token}`;
  return (
    <>
      <div class="stack">
        <h3>Upload address</h3>
        {onlyUploads ? (
          <>
            <p>
              For programs that have a field for an address but no field for a token. The address contains the
              token: anyone who knows it can upload to your account until you revoke the token.
            </p>
            <CopyField id="upload-address" label="Upload address" value={`${host}/c/${token}/`} />
          </>
        ) : (
          <p>
            Some programs have a field for an address but no field for a token. For these, create a token with
            only the permission Upload; its page then shows an address that contains the token.
          </p>
        )}
      </div>
      <div class="stack">
        <h3>Flameshot and ksnip</h3>
        <p>For a shortcut key, and as an upload script of ksnip:</p>
        <CopyField
          id="flameshot"
          label="Flameshot"
          value={`flameshot gui --raw | curl -sS -H "${header}" -T - ${host}/screenshot.png`}
        />
        <CopyField
          id="ksnip"
          label="ksnip"
          value={`curl -sS -H "${header}" -T "$1" ${host}/screenshot.png`}
        />
      </div>
      <div class="stack">
        <h3>PicGo</h3>
        <p>
          In the settings of the plugin web-uploader, the parameter is <code>file</code> and the JSON path is{' '}
          <code>media.urls.original</code>.
        </p>
        <CopyField id="picgo-url" label="Address for PicGo" value={upload} />
        <CopyField
          id="picgo-header"
          label="Header for PicGo"
          value={JSON.stringify({ Authorization: `Bearer ${token}` })}
        />
      </div>
      <div class="stack">
        <h3>iOS Shortcut</h3>
        <p>
          Add the action “Get Contents of URL” with the address below, the method POST, the header{' '}
          <code>Authorization</code> with the value below, and a form with the file field <code>file</code>.
          Then get the dictionary value <code>media.urls.original</code>.
        </p>
        <CopyField id="shortcut-url" label="Address for the shortcut" value={upload} />
        <CopyField id="shortcut-header" label="Value of the header" value={`Bearer ${token}`} />
      </div>
    </>
  );
}
