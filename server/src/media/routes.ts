import { operations } from '@majlis/contract';
import type { Serve } from '../http/serve.ts';
import type { Resources } from '../process/resources.ts';
import { downloadMedia } from './download-media.ts';
import { presentMedia } from './present.ts';
import { uploadMedia } from './upload-media.ts';

export function mediaRoutes(serve: Serve, resources: Resources): void {
  serve.upload(operations.uploadMedia, async (request, transact) => ({
    status: 201,
    body: presentMedia(await uploadMedia(resources, request, transact)),
  }));
  serve.download(operations.downloadMedia, ({ caller, params }) =>
    downloadMedia(resources, caller.workspace_id, params.media_id),
  );
}
