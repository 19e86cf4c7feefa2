import { Controller, HttpCode, Options } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../access/access';

/** Answers OPTIONS for every path. It is a route so that the guard counts it; middleware has set the CORS headers. */
@ApiExcludeController()
@Controller()
export class PreflightController {
  @Options('{*path}')
  @HttpCode(204)
  @Public()
  answer(): void {}
}
