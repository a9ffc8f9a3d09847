import { webhookOf } from '../webhooks/callbacks.ts';
import type { Dict } from '../world/message.ts';
import type { BusinessNumber } from '../world/number.ts';
import type { World } from '../world/world.ts';

export const numberDefaults = ['display_phone_number', 'verified_name', 'quality_rating', 'code_verification_status'];

/** All fields of a number (section 10). */
export function presentNumber(world: World, number: BusinessNumber): Dict {
  const sendable = number.registered && number.status === 'CONNECTED';
  const can_send_message = sendable ? 'AVAILABLE' : 'BLOCKED';
  return {
    id: number.phone_number_id,
    display_phone_number: number.display_phone,
    verified_name: number.verified_name,
    quality_rating: number.quality_rating,
    quality_score: { score: number.quality_rating },
    status: number.registered ? number.status : 'DISCONNECTED',
    name_status: number.name_status,
    code_verification_status: 'VERIFIED',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    account_mode: 'LIVE',
    whatsapp_business_manager_messaging_limit: number.tier,
    messaging_limit_tier: number.tier,
    health_status: {
      can_send_message,
      entities: [{ entity_type: 'PHONE_NUMBER', id: number.phone_number_id, can_send_message }],
    },
    webhook_configuration: callbacksOf(world, number),
  };
}

function callbacksOf(world: World, number: BusinessNumber): Dict {
  const account = world.accounts.get(number.waba_id)?.override_callback_uri;
  const application = webhookOf(world, number)?.callback_url;
  return {
    ...(number.override_callback_uri && { phone_number: number.override_callback_uri }),
    ...(account && { whatsapp_business_account: account }),
    ...(application && { application }),
  };
}
