import { Anchor, CloseButton, Group, List, Paper, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarClock, DatabaseBackup, type LucideIcon, MapIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShownMap } from '../../map/shown-map.ts'
import { storedText, storeText } from '../../ui/stored-text.ts'
import { useRights } from '../access/rights.tsx'
import { upkeepQuery } from '../api/queries.ts'
import { ConfirmDialog } from '../components/dialogs.tsx'
import { ButtonLink } from '../components/links.tsx'
import { RowButton } from '../components/lists.tsx'
import { guides, paths } from '../components/paths.ts'
import { confirmClock } from '../generated/sdk.gen.ts'
import { useFormat } from '../i18n/format.ts'

/** Tells owners that nothing is deleted by its age because the clock of the server has jumped, and asks about it. */
export function ClockNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const client = useQueryClient()
  const { isOwner } = useRights()
  const [isAsking, setAsking] = useState(false)
  const held = useQuery({ ...upkeepQuery, enabled: isOwner }).data?.held ?? []
  if (held.length === 0) return null
  const [{ last_upkeep_at, clock }] = held
  const overdueOf = (name: string) => held.find(({ service }) => service === name)?.overdue ?? 0
  const [tracks, records] = [overdueOf('tracks'), overdueOf('operator')]
  return (
    <Notice icon={CalendarClock} isWarning>
      <Group gap="sm" justify="space-between" flex={1} miw={0}>
        <Text size="sm" maw={800}>
          {t('clock.notice', { before: format.dateTime(last_upkeep_at), now: format.dateTime(clock) })}{' '}
          {t('clock.noticeHelp')}
        </Text>
        <RowButton onClick={() => setAsking(true)}>{t('clock.confirm')}</RowButton>
      </Group>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        action={() => confirmClock()}
        onDone={() => client.invalidateQueries()}
        title={t('clock.confirmTitle', { now: format.dateTime(clock) })}
        confirmLabel={t('clock.confirmNow')}
      >
        <List spacing="xs">
          {tracks > 0 && <List.Item>{t('clock.tracks', { count: tracks, figure: format.count(tracks) })}</List.Item>}
          {records > 0 && (
            <List.Item>{t('clock.records', { count: records, figure: format.count(records) })}</List.Item>
          )}
          <List.Item>{t('clock.others')}</List.Item>
        </List>
      </ConfirmDialog>
    </Notice>
  )
}

/** Tells owners that backups have stopped, or were never made. */
export function BackupNotice() {
  const { t } = useTranslation()
  const format = useFormat()
  const { isOwner } = useRights()
  const backup = useQuery({ ...upkeepQuery, enabled: isOwner }).data?.backup
  if (backup === undefined || !backup.is_overdue) return null
  const last = backup.last_success_at
  return (
    <Notice icon={DatabaseBackup} isWarning>
      <Text size="sm" maw={800}>
        {last === null ? t('backup.none') : t('backup.overdue', { time: format.dateTime(last) })}{' '}
        <Anchor href={guides.backUp} target="_blank" c="inherit" inherit underline="always">
          {t('backup.guide')}
        </Anchor>
      </Text>
    </Notice>
  )
}

/** Addresses of pages with a map: an event's live map and replay, and a track. */
const WITH_MAP = /^\/(?:events\/(?!(?:new|bin)$)[^/]+(?:\/replay)?|tracks\/[^/]+)\/?$/

const STORED_AS = 'trackpress-map-notice'

/** Offers the choice of a map to owners who see outlines, where there are maps; until they hide it in this browser. */
export function MapNotice({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const { is_chosen: isChosen } = useShownMap()
  const [isHidden, setHidden] = useState(() => storedText(STORED_AS) !== undefined)
  const { isOwner } = useRights()
  if (!isOwner || isChosen || isHidden || !WITH_MAP.test(pathname)) return null
  const hide = () => {
    setHidden(true)
    storeText(STORED_AS, 'hidden')
  }
  return (
    <Notice icon={MapIcon} className="map-notice">
      <Group gap="sm" justify="space-between" flex={1} miw={0}>
        <Text size="sm">
          {t('map.notice')} <span className="map-notice-help">{t('map.noticeHelp')}</span>
        </Text>
        <ButtonLink to={paths.mapSettings} size="xs" variant="default">
          {t('map.noticeLink')}
        </ButtonLink>
      </Group>
      <CloseButton style={{ flexShrink: 0 }} onClick={hide} aria-label={t('map.noticeDismiss')} />
    </Notice>
  )
}

type NoticeProps = { icon: LucideIcon; isWarning?: boolean; className?: string; children: ReactNode }

function Notice({ icon: Icon, isWarning = false, className, children }: NoticeProps) {
  const background = isWarning ? 'var(--mantine-color-yellow-light)' : 'var(--panel-background)'
  return (
    <Paper withBorder px={{ base: 10, sm: 'md' }} py="xs" bg={background} role="note" className={className}>
      <Group gap="sm" wrap="nowrap">
        <Icon size={18} aria-hidden style={{ flexShrink: 0 }} />
        {children}
      </Group>
    </Paper>
  )
}
