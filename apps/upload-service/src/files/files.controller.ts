import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@vitrine/http';
import type { Request, Response } from 'express';
import { FileDelivery } from './file-delivery';

/** Serves files: `/f/<slug>[_<size>].<ext>`. With `?download` the browser saves the file instead of showing it. */
@ApiExcludeController()
@Controller('f')
export class FilesController {
  constructor(private readonly delivery: FileDelivery) {}

  /** Also answers HEAD. */
  @Get(':name')
  @Public()
  serve(@Param('name') name: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    return this.delivery.deliver(name, request, response);
  }

  /** No file has a path with further segments. */
  @Get('*path')
  @Public()
  miss(@Req() request: Request): Promise<void> {
    return this.delivery.refuse(request);
  }
}
