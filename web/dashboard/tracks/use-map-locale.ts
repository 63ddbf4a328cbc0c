import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapLocale } from '../../map/create-map.ts'

/** Returns the labels of a map's controls in the language of the page. */
export function useMapLocale(): MapLocale {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      'AttributionControl.ToggleAttribution': t('map.attribution'),
      'NavigationControl.ZoomIn': t('map.zoomIn'),
      'NavigationControl.ZoomOut': t('map.zoomOut'),
      'Popup.Close': t('action.close'),
      'CooperativeGesturesHandler.WindowsHelpText': t('map.wheelHelp'),
      'CooperativeGesturesHandler.MacHelpText': t('map.wheelHelpMac'),
      'CooperativeGesturesHandler.MobileHelpText': t('map.touchHelp'),
    }),
    [t],
  )
}

/** The address of the map's style, which the server puts into the head of the page; empty for the built-in outlines. */
export const mapStyleUrl = document.querySelector<HTMLMetaElement>('meta[name="map-style-url"]')?.content ?? ''
