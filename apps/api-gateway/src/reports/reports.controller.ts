import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreateReportRequest, MessageResource, OwnReportResource } from '@vitrine/contracts';
import { type Caller, presentOwnReport, ReportsService } from '@vitrine/domain';
import { Answers, AnswersData, API_PREFIX, Authenticated, CurrentCaller, IdPipe } from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { AccessKey, TakesAccessKey } from '../posts/access-key';

@ApiTags('reports')
@Controller(`${API_PREFIX}/reports`)
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @Post()
  @Authenticated({ scope: 'write' })
  @TakesAccessKey()
  @ApiOperation({
    operationId: 'createReport',
    summary: 'Report something to the moderators',
    description: 'Anything that the caller can see. Reporting it again changes nothing.',
  })
  @Answers(201, MessageResource, 'The moderators will see to it.')
  async create(
    @Body() { type, target, reason, details }: CreateReportRequest,
    @CurrentCaller() caller: Caller,
    @AccessKey() key: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageResource> {
    const complaint = { type, target, reason, details: details ?? null };
    const id = await this.reports.report(complaint, caller, key);
    response.set('Location', `${this.urls.api}/reports/${id}`);
    return { message: 'Report received.' };
  }

  @Get(':id')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'getReport',
    summary: 'One of your own reports',
    description: 'A report is deleted together with what it is about.',
  })
  @AnswersData(OwnReportResource, 'The report.')
  async show(
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<{ data: OwnReportResource }> {
    return { data: presentOwnReport(await this.reports.findOwn(id, caller)) };
  }
}
