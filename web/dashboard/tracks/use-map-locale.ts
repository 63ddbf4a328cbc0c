import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { MapLocale } from '../../map/create-map.ts'
import { TILES_FAILED } from '../../map/shown-map.ts'

/** Returns the labels of a map's controls in the language of the page. */
export function useMapLocale(): MapLocale {
  const { t } = useTranslation()
  return useMemo(
    () => ({
      'AttributionControl.ToggleAttribution': t('map.attribution'),
      'NavigationControl.ZoomIn': t('map.zoomIn'),
      'NavigationControl.ZoomOut': t('map.zoomOut'),
      'Popup.Close': t('action.close'),
      [TILES_FAILED]: t('map.tilesFailed'),
      'CooperativeGesturesHandler.WindowsHelpText': t('map.wheelHelp'),
      'CooperativeGesturesHandler.MacHelpText': t('map.wheelHelpMac'),
      'CooperativeGesturesHandler.MobileHelpText': t('map.touchHelp'),
    }),
    [t],
  )
}
