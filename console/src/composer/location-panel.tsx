import { LocationContent } from '../conversation/thread/location-content.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { t } from '../words/words.ts';
import { LaterButton } from './later/later-button.tsx';
import type { LaterMoment } from './later/later-props.ts';
import styles from './panel.module.css';
import { PanelFrame } from './panel-frame.tsx';
import type { PanelProps } from './panel-props.ts';
import { type LocationGiven, openPanel, writePanel } from './panels.ts';
import { parseCoordinates } from './parse-coordinates.ts';
import { useNowOrLater } from './use-now-or-later.ts';

const mostName = 1_000;
const nothing: LocationGiven = { place: '', name: '', address: '' };

/** A place, by coordinates that a person pastes from a map. */
export function LocationPanel(props: PanelProps & { given?: LocationGiven | undefined }) {
  const { conversation, onClose, given = nothing } = props;
  const sendNowOrLater = useNowOrLater(props);
  const { place, name, address } = given;
  const write = (next: Partial<LocationGiven>) =>
    writePanel(conversation.id, { type: 'location', given: { ...given, ...next } });
  const found = parseCoordinates(place);
  const isWrong = place.trim() !== '' && !found;
  const location = found && {
    ...found,
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(address.trim() !== '' && { address: address.trim() }),
  };

  /** Now, or at its time. */
  function send(moment?: LaterMoment): void {
    if (!location) return;
    const lines = [location.name, location.address, `${location.latitude}, ${location.longitude}`];
    const content = { kind: 'location' as const, location };
    const giveBack = () => openPanel(conversation.id, { type: 'location', given });
    sendNowOrLater({ content, shown: lines.filter(Boolean).join('\n'), giveBack }, moment);
  }

  return (
    <PanelFrame title={t('composer.location_title')} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <div className={styles.sides}>
          <div className={styles.fields}>
            <Field
              label={t('composer.location_place')}
              hint={t('composer.location_paste')}
              value={place}
              onChange={(next) => write({ place: next })}
              isInvalid={isWrong}
              autoFocus
              ltr
            />
            <div className={styles.pair}>
              <Field
                label={t('composer.location_name')}
                value={name}
                onChange={(next) => write({ name: next })}
                maxLength={mostName}
              />
              <Field
                label={t('composer.location_address')}
                value={address}
                onChange={(next) => write({ address: next })}
                maxLength={mostName}
              />
            </div>
          </div>
          {location && (
            <figure className={styles.preview}>
              <figcaption className={styles.soft}>{t('composer.template_preview')}</figcaption>
              <div className={styles.bubble} data-preview>
                <LocationContent location={location} />
              </div>
            </figure>
          )}
        </div>
        <div className={styles.actions}>
          {isWrong && <p role="alert">{t('composer.location_wrong')}</p>}
          <LaterButton
            workspace_id={props.membership.workspace_id}
            gate={props.gate}
            isDisabled={!location}
            onChoose={send}
          />
          <Button type="submit" look="primary" isDisabled={!location || !props.isSendable}>
            {t('composer.send')}
          </Button>
        </div>
      </form>
    </PanelFrame>
  );
}
