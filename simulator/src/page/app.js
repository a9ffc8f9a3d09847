import { showChatList } from './chat-list.js';
import { showComposer } from './composer.js';
import { requireControlToken } from './control-token.js';
import { byId } from './element.js';
import { followChanges } from './follow-changes.js';
import { startChat } from './new-chat.js';
import { showPanel } from './panel.js';
import { showPhoneHead } from './phone-head.js';
import { listen, readOpen, store } from './store.js';
import { showThread } from './thread.js';
import { attempt } from './toast.js';

const [phone_number_id, wa_id] = location.hash.slice(1).split('/');
if (phone_number_id && wa_id) store.open = { phone_number_id, wa_id };

// The console opens the phone of one customer in a window of its own: /?phone=96891234567
store.only = new URLSearchParams(location.search).get('phone')?.replace(/\D/g, '') || null;
document.body.classList.toggle('alone', store.only !== null);

await requireControlToken();
showChatList();
showThread();
showPhoneHead();
showComposer();
showPanel();
const newChat = byId('new-chat');
newChat.addEventListener('click', () => startChat());
listen('numbers', () => {
  newChat.disabled = false;
});
followChanges();

document.addEventListener('visibilitychange', attempt(readOpen));
