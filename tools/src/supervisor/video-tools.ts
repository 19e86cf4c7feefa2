import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The message to the operator if videos can't be processed. */
export const NO_VIDEOS =
  'Videos are refused: there is no ffmpeg. Install it (Debian: apt install ffmpeg), or set FFMPEG_PATH and FFPROBE_PATH, ' +
  'and start again';

/** Whether media-processor with these settings finds ffmpeg and ffprobe: configured, or on the PATH. */
export function hasVideoTools(environment: NodeJS.ProcessEnv): boolean {
  const folders = (environment['PATH'] ?? '').split(delimiter).filter(Boolean);
  return ['ffmpeg', 'ffprobe'].every(
    (name) =>
      environment[`${name.toUpperCase()}_PATH`]?.trim() ||
      folders.some((folder) => isProgram(join(folder, name))),
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
