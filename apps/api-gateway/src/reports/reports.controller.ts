import { Body, Controller, Get, Param, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { CreateReportRequest, MessageResource, OwnReportResource } from '@vitrine/contracts/api';
import { type Caller, type OwnReport, ReportsService } from '@vitrine/domain';
import {
  API_PREFIX,
  Authenticated,
  CurrentAccess,
  CurrentCaller,
  IdempotentPost,
  IdPipe,
  type RequestAccess,
} from '@vitrine/http';
import { PublicUrlsConfig } from '@vitrine/runtime';
import type { Response } from 'express';
import { Answers, AnswersData } from '../openapi/answers';
import { AccessKey, PostOfComment, TakesAccessKey, TakesPostOfComment } from '../posts/access-key';

@ApiTags('reports')
@Controller(`${API_PREFIX}/reports`)
export class ReportsController {
  constructor(
    private readonly reports: ReportsService,
    private readonly urls: PublicUrlsConfig,
  ) {}

  @IdempotentPost()
  @Authenticated({ scope: 'write', visitors: true })
  @TakesAccessKey()
  @TakesPostOfComment()
  @ApiOperation({
    operationId: 'createReport',
    summary: 'Report an item to the moderators',
    description:
      'The caller can report everything that they can see. Reporting the same item again changes nothing. Visitors of the website report without an account, with a proof of work if the site requires proofs.',
  })
  @Answers(201, MessageResource, 'The report is in the moderation queue.')
  async create(
    @Body() { type, target, reason, details, contact, proof_of_work: proof }: CreateReportRequest,
    @CurrentAccess() { caller, clientKey }: RequestAccess,
    @AccessKey() key: string | null,
    @PostOfComment() post: string | null,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageResource> {
    const complaint = { type, target, reason, details: details ?? null, post };
    if (!caller) {
      const visitor = { clientKey, contact: contact ?? null, proof: proof ?? null, key };
      await this.reports.reportAsVisitor(complaint, visitor);
      return { message: 'Report received.' };
    }
    const id = await this.reports.report(complaint, caller, key);
    response.set('Location', `${this.urls.api}/reports/${id}`);
    return { message: 'Report received.' };
  }

  @Get(':id')
  @Authenticated({ scope: 'read' })
  @ApiOperation({
    operationId: 'getReport',
    summary: 'Get one of your reports',
    description: 'A report is deleted together with the item that it is about.',
  })
  @AnswersData(OwnReportResource, 'The report.')
  async show(
    @Param('id', IdPipe) id: number,
    @CurrentCaller() caller: Caller,
  ): Promise<{ data: OwnReportResource }> {
    return { data: presentOwnReport(await this.reports.findOwn(id, caller)) };
  }
}

/** The resource of a report for the user who made it. */
export const presentOwnReport = ({ createdAt, ...report }: OwnReport): OwnReportResource => ({
  id: report.id,
  type: report.type,
  target: report.target,
  reason: report.reason,
  details: report.details,
  created_at: createdAt.toISOString(),
});
