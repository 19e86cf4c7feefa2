import { pipeline } from 'node:stream/promises';
import { Controller, Get, Logger, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFoundError } from '@vitrine/domain';
import { Public } from '@vitrine/http';
import { type ByteRange, ObjectNotFoundError, ObjectStorage } from '@vitrine/storage';
import type { Request, Response } from 'express';
import { FilesService, type ServedFile } from './files.service';
import { matchesAny, rangeApplies, readRange } from './http-preconditions';

const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_NOW = 'public, max-age=60';

/** Gives files out: `/f/<slug>[_<size>].<ext>`. */
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
    const object = await this.storage.head(file.key);
    // The row outlives its bytes for a moment only, while a deletion is under way.
    if (!object) throw new NotFoundError();

    response.set({
      'Content-Type': file.mime,
      'Cache-Control': file.final ? FOR_EVER : FOR_NOW,
      ETag: file.etag,
      'Accept-Ranges': 'bytes',
    });
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch !== undefined && matchesAny(ifNoneMatch, file.etag))
      return void response.status(304).end();

    const range = this.rangeOf(request, file, object.size);
    if (range === 'unsatisfiable') {
      response.status(416).set({ 'Content-Range': `bytes */${object.size}`, 'Cache-Control': 'no-store' });
      response.removeHeader('ETag');
      return void response.end();
    }
    if (range) {
      response.status(206).set('Content-Range', `bytes ${range.from}-${range.to}/${object.size}`);
    }
    response.set('Content-Length', String(range ? range.to - range.from + 1 : object.size));
    if (request.method === 'HEAD') return void response.end();
    await this.send(file.key, range, response);
  }

  private rangeOf(request: Request, file: ServedFile, size: number): ByteRange | 'unsatisfiable' | undefined {
    const header = request.headers.range;
    if (header === undefined || !rangeApplies(request.get('If-Range'), file.etag)) return undefined;
    const range = readRange(header, size);
    return range === 'whole' ? undefined : range;
  }

  private async send(key: string, range: ByteRange | undefined, response: Response): Promise<void> {
    const bytes = await this.storage.open(key, range).catch((error: unknown) => {
      throw error instanceof ObjectNotFoundError ? new NotFoundError() : error;
    });
    try {
      await pipeline(bytes, response);
    } catch (error) {
      // Most often a viewer who has seen enough; pipeline has closed both ends already.
      if (!response.destroyed) throw error;
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') this.logger.warn(error);
    }
  }
}
