import { Button, Center, Stack, Text } from '@mantine/core'
import { Component, type CSSProperties, type ReactNode, Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapLocale } from '../../map/map-view.tsx'
import { TERRAIN, TILES_FAILED } from '../../map/shown-map.ts'
import { unitsOf, useSystem } from '../i18n/units.ts'
import './map-place.css'

type Height = CSSProperties['height']

/**
 * The place of a map whose code may have yet to come. A text stands there until then: on a slow line the rest of the
 * page is there long before the map's library.
 */
export function MapPlace({ height, isAbovePicture = false, children }: MapPlaceProps) {
  const place = isAbovePicture ? { className: 'map-place-word' } : { className: 'map-place', style: { height } }
  return (
    <Guard failed={<NotLoaded {...place} />}>
      <Suspense fallback={<Coming {...place} />}>{children}</Suspense>
    </Guard>
  )
}

type MapPlaceProps = {
  height?: Height
  /** True where a picture stands in for the map: then the text is in a corner of it. */
  isAbovePicture?: boolean
  children: ReactNode
}
type Place = { className: string; style?: CSSProperties }

function Coming(place: Place) {
  const { t } = useTranslation()
  return (
    <Center {...place}>
      <Text c="dimmed">{t('map.loading')}</Text>
    </Center>
  )
}

/** Offers to load the page again: browsers do not request a script that failed a second time. */
function NotLoaded(place: Place) {
  const { t } = useTranslation()
  return (
    <Center {...place}>
      <Stack align="center" gap="xs" p={place.style && 'md'}>
        <Text c="dimmed">{t('map.notLoaded')}</Text>
        <Button variant="default" size="xs" onClick={() => location.reload()}>
          {t('map.reload')}
        </Button>
      </Stack>
    </Center>
  )
}

/** Shows something else if its content cannot be loaded. */
class Guard extends Component<{ failed: ReactNode; children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    return this.state.hasFailed ? this.props.failed : this.props.children
  }
}

/** Returns the labels of a map's controls in the language of the page, and the reader's units. */
export function useMapLocale(): MapLocale {
  const { t, i18n } = useTranslation()
  const system = useSystem()
  const { high } = unitsOf(system, i18n.language)
  const feet = unitsOf('imperial', i18n.language).high
  const labels = useMemo(
    () => ({
      'AttributionControl.ToggleAttribution': t('map.attribution'),
      'NavigationControl.ZoomIn': t('map.zoomIn'),
      'NavigationControl.ZoomOut': t('map.zoomOut'),
      'Popup.Close': t('action.close'),
      'ScaleControl.Feet': feet,
      [TERRAIN]: t('map.terrain'),
      [TILES_FAILED]: t('map.tilesFailed'),
      'CooperativeGesturesHandler.WindowsHelpText': t('map.wheelHelp'),
      'CooperativeGesturesHandler.MacHelpText': t('map.wheelHelpMac'),
      'CooperativeGesturesHandler.MobileHelpText': t('map.touchHelp'),
    }),
    [t, feet],
  )
  return useMemo(() => ({ labels, units: { system, high } }), [labels, system, high])
}
