import 'reflect-metadata';
import { runService } from '@vitrine/runtime';
import { buildSite, listenForVisitors } from './site';
import { WebsiteModule } from './website.module';

void runService('website', { module: WebsiteModule, build: buildSite, start: listenForVisitors });
