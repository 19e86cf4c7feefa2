import { STATUS_CODES } from 'node:http';
import type { ErrorAnswer, ErrorShape } from '@vitrine/http';
import { imgurErrorXml } from './imgur-xml';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** These APIs answer 400 to invalid fields, and their programs know no 422. */
const statusOf = ({ status }: ErrorAnswer): number => (status === 422 ? 400 : status);

/** The message, with the names that the dialect gives to the fields of the file and of the post. */
const messageOf = ({ body }: ErrorAnswer, fileField = 'file'): string =>
  String(body['message'])
    .replaceAll('The file field', `The ${fileField} field`)
    .replaceAll('The selected post_id', 'The selected album');

const json = (status: number, body: object) => ({ status, type: JSON_TYPE, text: JSON.stringify(body) });

/** `{data: {error}, success: false, status}`. */
export const imgurError: ErrorShape = (answer) => {
  const status = statusOf(answer);
  return json(status, { data: { error: messageOf(answer, 'image') }, success: false, status });
};

/** The same as XML. */
export const imgurXmlError: ErrorShape = (answer) => {
  const status = statusOf(answer);
  return { status, type: 'text/xml; charset=utf-8', text: imgurErrorXml(messageOf(answer, 'image'), status) };
};

/** `{status_code, error: {message, code}, status_txt}`, of Chevereto and ImgBB. */
export const cheveretoError =
  (fileField: string): ErrorShape =>
  (answer) => {
    const status = statusOf(answer);
    const error = { message: messageOf(answer, fileField), code: status };
    return json(status, { status_code: status, error, status_txt: STATUS_CODES[status] });
  };

/** `{error, statusCode}`. */
export const ziplineError: ErrorShape = (answer) => {
  const status = statusOf(answer);
  return json(status, { error: messageOf(answer), statusCode: status });
};

/** `{status: false, message, data: {}}`; invalid fields are 422 here too. */
export const lskyError: ErrorShape = (answer) =>
  json(answer.status, { status: false, message: messageOf(answer), data: {} });

/** The message as text. */
export const plainError: ErrorShape = (answer) => ({
  status: statusOf(answer),
  type: TEXT_TYPE,
  text: `${messageOf(answer)}\n`,
});
