import { Inbox, Settings } from 'lucide-react';
import { useState } from 'react';

import { Failure } from '../live/request.ts';
import { Avatar } from './avatar.tsx';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { Choice } from './choice.tsx';
import { CopyBox } from './copy-box.tsx';
import { Dialog } from './dialog.tsx';
import { DialogActions } from './dialog-actions.tsx';
import { Empty, Loading } from './empty.tsx';
import { Field } from './field.tsx';
import { Form } from './form.tsx';
import { List, Row, Soft } from './list.tsx';
import { Menu } from './menu.tsx';
import { Notice } from './notice.tsx';
import { Page, Section } from './page.tsx';
import { Skeleton } from './skeleton.tsx';
import { Switch } from './switch.tsx';
import { tell } from './toasts.ts';

const looks = ['primary', 'plain', 'danger', 'quiet'] as const;

async function fail() {
  throw new Failure('unprocessable_content', new Map([['password', 'needs 10 characters or more']]));
}

/** Every part in every state, for designers and for tests. It is in English alone. */
export function PartsPage() {
  const [isOpen, setOpen] = useState(false);
  const [choice, setChoice] = useState<'a' | 'b'>('a');
  const [isOn, setOn] = useState(true);
  return (
    <main id="content">
      <Page title="Parts" hint="Every part of the console, in every state.">
        <Section title="Buttons">
          <div>
            {looks.map((look) => [
              <Button key={look} look={look}>
                {look}
              </Button>,
              ' ',
            ])}
            <Button isDisabled>disabled</Button>{' '}
            <Button look="primary" isPending>
              pending
            </Button>
          </div>
        </Section>
        <Section title="Fields">
          <Field label="Name" hint="As people call you." defaultValue="منى Said" />
          <Field label="E-mail address" ltr defaultValue="muna@acme.example" />
          <Field label="Disabled" isDisabled defaultValue="cannot change" />
          <Choice
            label="Role"
            options={[
              { id: 'a', label: 'Agent', hint: 'Answers customers.' },
              { id: 'b', label: 'Admin' },
            ]}
            value={choice}
            onChange={setChoice}
          />
          <Switch label="On or off" isSelected={isOn} onChange={setOn} />
          <Switch label="Disabled" isSelected={false} onChange={() => {}} isDisabled />
          <CopyBox text="https://majlis.example/join#token" label="A link" />
        </Section>
        <Section title="Form, list">
          <Form submit="Fail" send={fail}>
            <Field label="Password" type="password" name="password" defaultValue="short" />
          </Form>
          <List>
            <Row start={<Avatar name="Muna" />} title={<bdi>Muna Said</bdi>} end={<Badge>Agent</Badge>}>
              <Soft>muna@acme.example</Soft>
            </Row>
            <Row
              start={<Avatar name="علي" />}
              title={<bdi>علي الحارثي</bdi>}
              end={<Button look="quiet">Remove</Button>}
            />
          </List>
        </Section>
        <Section title="Menu, dialog, toasts">
          <Menu
            label="Open the menu"
            entries={[
              { id: 'one', label: 'Inbox', icon: <Inbox size={16} aria-hidden />, isCurrent: true },
              { id: 'two', label: 'Settings', icon: <Settings size={16} aria-hidden /> },
            ]}
            onAction={() => {}}
          >
            Menu
          </Menu>
          <div>
            <Button onPress={() => setOpen(true)}>Open a dialog</Button>{' '}
            <Button onPress={() => tell('Saved')}>Tell success</Button>{' '}
            <Button onPress={() => tell('That did not work. Try again.', 'danger')}>Tell a failure</Button>
          </div>
          {isOpen && (
            <Dialog title="Remove Muna?" onClose={() => setOpen(false)}>
              <p>They lose access at once.</p>
              <DialogActions>
                <Button onPress={() => setOpen(false)}>Cancel</Button>
                <Button look="danger" onPress={() => setOpen(false)}>
                  Remove
                </Button>
              </DialogActions>
            </Dialog>
          )}
        </Section>
        <Section title="Notices and badges">
          <Notice>Copy the key now. It is not shown again.</Notice>
          <Notice kind="success">The link is on its way.</Notice>
          <Notice kind="danger">That did not match. Check it and try again.</Notice>
          <div>
            <Badge>plain</Badge> <Badge kind="accent">accent</Badge> <Badge kind="warning">warning</Badge>
          </div>
          <div>
            <Avatar name="Muna" /> <Avatar name="منى" size="s" />
          </div>
        </Section>
        <Section title="Empty and loading">
          <Empty icon={<Inbox aria-hidden />} title="No conversations yet" hint="They appear here." />
          <Loading label="Loading" />
          <Skeleton shape="rows" />
        </Section>
      </Page>
    </main>
  );
}
