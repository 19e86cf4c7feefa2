import { Controller, Get, NotFoundException, Param } from '@nestjs/common';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import type { Visit } from '../visits/visit';
import { ApiDocuments } from './api-documents';
import { docsPage, headingOf } from './docs-frame';
import { GroupPage } from './group-page';
import { ObjectsPage } from './objects-page';
import type { ApiReference } from './open-api';
import { StartPage } from './start-page';

/** The API's documentation, generated from its OpenAPI document. */
@Controller('developers')
export class DevelopersController {
  constructor(private readonly documents: ApiDocuments) {}

  @Get()
  async start(@CurrentVisit() visit: Visit): Promise<Page> {
    const reference = await this.find(visit);
    return docsPage({
      title: 'Developers',
      description: 'The API: upload, post, search and moderate from your own programs.',
      path: '/developers',
      reference,
      children: <StartPage reference={reference} />,
    });
  }

  @Get('objects')
  async objects(@CurrentVisit() visit: Visit): Promise<Page> {
    const reference = await this.find(visit);
    return docsPage({
      title: 'Objects of the API',
      description: 'Every object of the API with its fields.',
      path: '/developers/objects',
      reference,
      children: <ObjectsPage schemas={reference.schemas} />,
    });
  }

  @Get(':group')
  async group(@CurrentVisit() visit: Visit, @Param('group') name: string): Promise<Page> {
    const reference = await this.find(visit);
    const group = reference.groups.find((one) => one.name === name);
    if (!group) throw new NotFoundException();
    return docsPage({
      title: `${headingOf(name)}: the API`,
      description: group.description,
      path: `/developers/${name}`,
      reference,
      children: <GroupPage group={group} />,
    });
  }

  /** The document is the same for everyone, so it is fetched without a session. */
  private find(visit: Visit): Promise<ApiReference> {
    return this.documents.find(visit.apiWith(undefined));
  }
}
