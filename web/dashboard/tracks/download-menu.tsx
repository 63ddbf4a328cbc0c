import { Button, Menu } from '@mantine/core'
import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ExportFormatName } from '../../../src/tracks/exports/export-formats.ts'
import { DownloadItem } from '../components/links.tsx'

const FORMATS = [
  { format: 'gpx', key: 'track.asGpx', needsPoints: false },
  { format: 'fit', key: 'track.asFit', needsPoints: true },
  { format: 'tcx', key: 'track.asTcx', needsPoints: true },
  { format: 'kml', key: 'track.asKml', needsPoints: false },
  { format: 'geojson', key: 'track.asGeoJson', needsPoints: false },
  { format: 'csv', key: 'track.asCsv', needsPoints: false },
] as const

type DownloadMenuProps = {
  label: string
  /** Explanation above the formats. */
  help?: string
  /** Leaves out the formats that need points. */
  hasPoints: boolean
  /** Lets the operator confirm first. */
  isConfirmed?: boolean
  addressOf(format: ExportFormatName): string
}

/** A button that opens the formats of a download. */
export function DownloadMenu({ label, help, hasPoints, isConfirmed, addressOf }: DownloadMenuProps) {
  const { t } = useTranslation()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        {help !== undefined && <Menu.Label maw={320}>{help}</Menu.Label>}
        {FORMATS.filter(({ needsPoints }) => hasPoints || !needsPoints).map(({ format, key }) => (
          <DownloadItem key={format} href={addressOf(format)} isConfirmed={isConfirmed}>
            {t(key)}
          </DownloadItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
