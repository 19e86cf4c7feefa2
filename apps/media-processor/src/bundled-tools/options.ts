import { AV_OPT_SEARCH_CHILDREN, AV_OPT_TYPE_STRING, AVERROR_OPTION_NOT_FOUND } from 'node-av/constants';
import { type BitStreamFilterContext, CodecContext, FFmpegError, type FormatContext } from 'node-av/lib';
import type { FileArguments, FileOption } from './command-line';
import { ToolError } from './tool-error';

type Configurable = CodecContext | FormatContext | BitStreamFilterContext;

/** Sets an option of the libraries; false if the object has no such option. Throws `ToolError` for a wrong value. */
export function setOption(target: Configurable, name: string, value: string): boolean {
  const result = target.setOption(name, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN);
  if (result === AVERROR_OPTION_NOT_FOUND) return false;
  if (result < 0) {
    throw new ToolError(`Error setting option ${name} to value ${value}: ${FFmpegError.strerror(result)}`);
  }
  return true;
}

/** The options of one file. The program takes its own ones first, and the libraries must accept all others. */
export class FileOptions {
  private readonly own = new Set<FileOption>();
  private readonly accepted = new Set<FileOption>();

  constructor(private readonly file: FileArguments) {}

  /** The last value of an option of the program, for streams of this kind (`v`, `a`) if a kind is given. */
  take(name: string, kind?: string): string | undefined {
    return this.takeAll(name, kind).at(-1)?.value;
  }

  /** Every option of this name; with a kind, only those for streams of that kind. */
  takeAll(name: string, kind?: string): readonly FileOption[] {
    const found = this.file.options.filter(
      (option) => option.name === name && (kind === undefined || isFor(option, kind)),
    );
    for (const option of found) this.own.add(option);
    return found;
  }

  /** Options that the program did not take, for the file (without a kind) or for streams of a kind. */
  forLibraries(kind?: string): readonly FileOption[] {
    return this.file.options.filter(
      (option) => !this.own.has(option) && (kind === undefined ? !option.specifier : isFor(option, kind)),
    );
  }

  /** Sets on an object of the libraries the options that it has. */
  apply(target: Configurable, kind?: string): void {
    for (const option of this.forLibraries(kind)) {
      if (setOption(target, option.name, option.value)) this.accepted.add(option);
    }
  }

  /** Accepts options that every codec has, for streams that need no codec here. */
  acceptCodecOptions(): void {
    const anyCodec = new CodecContext();
    anyCodec.allocContext3(null);
    for (const option of this.file.options) {
      const isOpen = !this.own.has(option) && !this.accepted.has(option);
      if (isOpen && setOption(anyCodec, option.name, option.value)) this.accept(option);
    }
  }

  accept(option: FileOption): void {
    this.accepted.add(option);
  }

  /** Throws `ToolError` if neither the program nor the libraries know one of the options. */
  finish(): void {
    const unknown = this.file.options.find((option) => !this.own.has(option) && !this.accepted.has(option));
    if (unknown) throw new ToolError(`Unrecognized option '${unknown.name}' for ${this.file.url}`);
  }
}

/** A specifier begins with the kind (`v`, `a:0`), after `s:` for the metadata of a stream. */
const isFor = ({ specifier }: FileOption, kind: string): boolean =>
  specifier === '' || specifier === kind || specifier.startsWith(`${kind}:`);
