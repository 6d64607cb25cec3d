/** The places of Build, loaded together: a user who opens one goes on to another, and one file packs better than many. */
import { AddWebhook } from './AddWebhook.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { Build } from './Build.tsx';
import { Events } from './Events.tsx';
import { OneWebhook } from './OneWebhook.tsx';
import { Webhooks } from './Webhooks.tsx';

export const BUILD_PLACES = { AddWebhook, ApiKeys, Build, Events, OneWebhook, Webhooks };
