import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { NotFoundError } from '@vitrine/domain';
import { Public } from '@vitrine/http';
import type { Request, Response } from 'express';
import { UploadConfig } from '../config/upload.config';
import { FileSender } from './file-sender';
import { FilesService, type ServedFile, VariantMissingError } from './files.service';
import { MissLimit } from './miss-limit';
import { VariantHolds } from './variant-holds';

/** Serves files: `/f/<slug>[_<size>].<ext>`. With `?download` the browser saves the file instead of showing it. */
@ApiExcludeController()
@Controller('f')
export class FilesController {
  private readonly holdSeconds: number;

  constructor(
    private readonly files: FilesService,
    private readonly sender: FileSender,
    private readonly misses: MissLimit,
    private readonly holds: VariantHolds,
    config: UploadConfig,
  ) {
    this.holdSeconds = config.fileHoldSeconds;
  }

  /** Also answers HEAD. */
  @Get(':name')
  @Public()
  async serve(
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.misses.countAround(request, () => this.serveObject(name, request, response));
  }

  /** No file has a path with further segments, so such a request counts as a miss. */
  @Get('*path')
  @Public()
  async miss(@Req() request: Request): Promise<void> {
    await this.misses.countAround(request, () => Promise.reject(new NotFoundError()));
  }

  private async serveObject(name: string, request: Request, response: Response): Promise<void> {
    await this.sender.send(await this.find(name, request, response), request, response);
  }

  /** Waits for a variant that is being made. */
  private async find(name: string, request: Request, response: Response): Promise<ServedFile> {
    const until = performance.now() + this.holdSeconds * 1000;
    for (;;) {
      try {
        return await this.files.find(name);
      } catch (error) {
        if (!(error instanceof VariantMissingError)) throw error;
        // Looks up the row again if it was read for another request just before it changed.
        const seconds = Math.max(0, until - performance.now()) / 1000;
        if (!(await this.holds.hold(error.slug, seconds, request, response))) throw error;
      }
    }
  }
}
