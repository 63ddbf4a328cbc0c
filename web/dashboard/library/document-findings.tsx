import { Anchor, Code, List, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../components/panel.tsx'
import type { OperatorPublication } from '../generated/types.gen.ts'
import type { Key } from '../i18n/en.ts'
import { useFormat } from '../i18n/format.ts'
import { isRendering } from './publication-state.tsx'
import { reasonKey } from './upload-errors.ts'

const KNOWN: Record<string, Key> = {
  javascript: 'finding.javascript',
  launch_action: 'finding.launch_action',
  open_action: 'finding.open_action',
  attachments: 'finding.attachments',
  encrypted: 'finding.encrypted',
  xfa_form: 'finding.xfa_form',
}
/** Further pages are counted, not listed. */
const MAX_LISTED_PAGES = 20

type FindingsProps = { publication: OperatorPublication; onPage(page: number): void }

/** Problems of a document: pages that failed or have no text, and active content in the file. */
export function Findings({ publication, onPage }: FindingsProps) {
  const { t } = useTranslation()
  const { findings, failed_pages: failed, damage } = publication
  const failedPages = new Set(failed.map(({ page }) => page))
  const textless = publication.pages_without_text.filter((page) => !failedPages.has(page))
  const isClean = findings.length + failed.length + textless.length === 0 && publication.status === 'ready'
  // The alert about stored files is above, and this would contradict it.
  if (isClean && damage !== null) return null
  return (
    <Panel title={t('findings.title')} isDense>
      <Stack gap="sm">
        {isClean && <Text size="sm">{isRendering(publication) ? t('findings.noneYet') : t('findings.none')}</Text>}
        {!isClean && publication.status === 'processing' && <Text size="sm">{t('findings.noneYet')}</Text>}
        {failed.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('findings.failed', { count: failed.length })}
            </Text>
            <List size="sm">
              {failed.slice(0, MAX_LISTED_PAGES).map(({ page, code }) => (
                <List.Item key={page}>
                  <PageLink page={page} onPage={onPage} />
                  {': '}
                  {t(reasonKey(code))}
                </List.Item>
              ))}
            </List>
          </div>
        )}
        {textless.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('findings.textless', { count: textless.length })}
            </Text>
            <Text size="sm">
              {t(publication.recognize_text ? 'findings.textlessHelp' : 'findings.textlessNotRecognized')}
            </Text>
            <Text size="sm">
              {textless.slice(0, MAX_LISTED_PAGES).map((page, at) => (
                <span key={page}>
                  {at > 0 && ', '}
                  <PageLink page={page} onPage={onPage} />
                </span>
              ))}
              {textless.length > MAX_LISTED_PAGES && ' …'}
            </Text>
          </div>
        )}
        {findings.length > 0 && (
          <div>
            <Text size="sm" fw={600}>
              {t('findings.file')}
            </Text>
            <List size="sm">
              {findings.map((finding) => (
                <List.Item key={finding}>{finding in KNOWN ? t(KNOWN[finding]) : finding}</List.Item>
              ))}
            </List>
            <Text size="sm" c="dimmed" mt={4}>
              {t('findings.fileHelp')}
            </Text>
          </div>
        )}
      </Stack>
    </Panel>
  )
}

function PageLink({ page, onPage }: { page: number; onPage(page: number): void }) {
  const { t } = useTranslation()
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => onPage(page)}>
      {t('pages.page', { page })}
    </Anchor>
  )
}

/** The facts about a publication's file. */
export function Facts({ publication }: { publication: OperatorPublication }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const { language, outline_count: outline } = publication
  const isDetected = publication.stated.language === null && publication.file_statements.language === null
  return (
    <Panel title={t('facts.title')} isDense>
      <Table variant="vertical" withRowBorders={false} className="figures" layout="auto">
        <Table.Tbody>
          <Fact name={t('library.pages')}>{format.count(publication.page_count)}</Fact>
          {publication.pages_recognized > 0 && (
            <Fact name={t('facts.recognized')}>
              {t('facts.recognizedPages', {
                count: publication.pages_recognized,
                figure: format.count(publication.pages_recognized),
              })}
            </Fact>
          )}
          <Fact name={t('facts.size')}>{format.bytes(publication.size)}</Fact>
          <Fact name={t('facts.language')}>
            {language === null ? t('facts.noLanguage') : languageName(language, i18n.language)}
            {language !== null && isDetected && ` (${t('facts.isDetected')})`}
          </Fact>
          <Fact name={t('facts.outline')}>
            {outline === 0
              ? t('facts.noOutline')
              : t('facts.outlineEntries', { count: outline, figure: format.count(outline) })}
          </Fact>
          <Fact name={t('facts.tagged')}>{publication.is_tagged ? t('facts.isTagged') : t('facts.notTagged')}</Fact>
          <Fact name={t('field.updated')}>{format.dateTime(publication.updated_at)}</Fact>
        </Table.Tbody>
      </Table>
      <details>
        <summary>{t('facts.details')}</summary>
        <Table variant="vertical" withRowBorders={false} className="figures" layout="auto">
          <Table.Tbody>
            <Fact name={t('facts.version')}>{format.count(publication.version)}</Fact>
            <Fact name="SHA-256">
              <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
                {publication.sha256}
              </Code>
            </Fact>
          </Table.Tbody>
        </Table>
      </details>
    </Panel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" w={150}>
        {name}
      </Table.Th>
      <Table.Td>{children}</Table.Td>
    </Table.Tr>
  )
}

/** Returns the name of a language; its tag if it has none. */
function languageName(tag: string, shownIn: string): string {
  try {
    return new Intl.DisplayNames(shownIn, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
