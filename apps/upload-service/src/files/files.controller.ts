import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Logger, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFoundError } from '@vitrine/domain';
import { Public } from '@vitrine/http';
import { type ByteRange, type HeldObject, ObjectNotFoundError, ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { FilesService, type ServedFile } from './files.service';
import { matchesAny, rangeApplies, readRange } from './http-preconditions';

const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_NOW = 'public, max-age=60';

/** Gives files out: `/f/<slug>[_<size>].<ext>`; with `?download` to be saved, not shown. */
@ApiExcludeController()
@Controller('f')
export class FilesController {
  private readonly logger = new Logger(FilesController.name);

  constructor(
    private readonly files: FilesService,
    private readonly storage: ObjectStorage,
  ) {}

  /** Also answers HEAD. */
  @Get(':name')
  @Public()
  async serve(
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    // The router forgives a slash at the end; a file's name doesn't.
    if (request.path.endsWith('/')) throw new NotFoundError();
    const file = await this.files.find(name);
    const object = await this.hold(file.key);
    try {
      await this.answer(file, object, request, response);
    } finally {
      await object.close();
    }
  }

  /** No header is set before the object is there: an error must not come as the file's representation. */
  private async answer(
    file: ServedFile,
    { info, read }: HeldObject,
    request: Request,
    response: Response,
  ): Promise<void> {
    const etag = file.etagOf(info);
    response.set({
      'Content-Type': file.mime,
      'Cache-Control': file.final ? FOR_EVER : FOR_NOW,
      ETag: etag,
      'Accept-Ranges': 'bytes',
      // Only the names that were found come here, and those need no quoting.
      ...('download' in request.query && {
        'Content-Disposition': `attachment; filename="${String(request.params['name'])}"`,
      }),
    });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesAny(ifNoneMatch, etag)) return void response.status(304).end();

    const range = rangeOf(request, etag, info.size);
    if (range === 'unsatisfiable') {
      response.status(416).set({ 'Content-Range': `bytes */${info.size}`, 'Cache-Control': 'no-store' });
      response.removeHeader('ETag');
      return void response.end();
    }
    if (range) {
      response.status(206).set('Content-Range', `bytes ${range.from}-${range.to}/${info.size}`);
    }
    response.set('Content-Length', String(range ? range.to - range.from + 1 : info.size));
    if (request.method === 'HEAD') return void response.end();
    await this.send(read(range), response);
  }

  private hold(key: string): Promise<HeldObject> {
    return this.storage.hold(key).catch((error: unknown) => {
      // The row outlives its bytes for a moment only, while a deletion is under way.
      throw error instanceof ObjectNotFoundError ? new NotFoundError() : error;
    });
  }

  private async send(bytes: Readable, response: Response): Promise<void> {
    try {
      await pipeline(bytes, response);
    } catch (error) {
      // Most often a viewer who has seen enough; pipeline has closed both ends already.
      if (!response.destroyed) throw error;
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') this.logger.warn(error);
    }
  }
}

/** The range to serve; none for HEAD, which ranges aren't defined for (RFC 9110, 14.2). */
function rangeOf(request: Request, etag: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const header = request.headers.range;
  if (header === undefined || request.method !== 'GET') return undefined;
  if (!rangeApplies(request.get('If-Range'), etag)) return undefined;
  const range = readRange(header, size);
  return range === 'whole' ? undefined : range;
}
