import 'reflect-metadata';
import { runService } from '@vitrine/runtime';
import { buildSite, listenForVisitors } from './app/site';
import { WebsiteModule } from './app/website.module';

void runService('website', { module: WebsiteModule, build: buildSite, start: listenForVisitors });
