import { CloseButton, Group, Paper, Text } from '@mantine/core'
import { MapIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShownMap } from '../../map/shown-map.ts'
import { useRights } from '../access/rights.tsx'
import { ButtonLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'

/** Addresses of pages with a map: an event's live map and replay, and a track. */
const WITH_MAP = /^\/(?:events\/(?!new$)[^/]+(?:\/replay)?|tracks\/[^/]+)\/?$/

const STORED_AS = 'trackpress-map-notice'

/** Offers the choice of a map to owners who see outlines, where there are maps; until they hide it in this browser. */
export function MapNotice({ pathname }: { pathname: string }) {
  const { t } = useTranslation()
  const { is_chosen: isChosen } = useShownMap()
  const [isHidden, setHidden] = useState(wasHidden)
  const { isOwner } = useRights()
  if (!isOwner || isChosen || isHidden || !WITH_MAP.test(pathname)) return null
  const hide = () => {
    setHidden(true)
    try {
      localStorage.setItem(STORED_AS, 'hidden')
    } catch {
      // Without storage, it stays hidden until the page is loaded again.
    }
  }
  return (
    <Paper withBorder px={{ base: 10, sm: 'md' }} py="xs" bg="var(--panel-background)" role="note">
      <Group gap="sm" wrap="nowrap">
        <MapIcon size={18} aria-hidden style={{ flexShrink: 0 }} />
        <Group gap="sm" justify="space-between" flex={1} miw={0}>
          <Text size="sm">
            {t('map.notice')} {t('map.noticeHelp')}
          </Text>
          <ButtonLink to={paths.mapSettings} size="xs" variant="default">
            {t('map.noticeLink')}
          </ButtonLink>
        </Group>
        <CloseButton style={{ flexShrink: 0 }} onClick={hide} aria-label={t('map.noticeDismiss')} />
      </Group>
    </Paper>
  )
}

function wasHidden(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== null
  } catch {
    return false
  }
}
