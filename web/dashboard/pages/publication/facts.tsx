import { Code, Paper, Table, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperatorPublication } from '../../api/publications.ts'
import { useFormat } from '../../i18n/format.ts'

/** The facts about a publication's file. */
export function Facts({ publication }: { publication: OperatorPublication }) {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const { language, outline_count: outline } = publication
  return (
    <Paper withBorder p="md" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('facts.title')}
      </Title>
      <Table variant="vertical" withRowBorders={false} className="figures" layout="auto">
        <Table.Tbody>
          <Fact name={t('library.pages')}>{format.count(publication.page_count)}</Fact>
          <Fact name={t('facts.size')}>{format.bytes(publication.size)}</Fact>
          <Fact name={t('facts.language')}>
            {language === null ? t('facts.noLanguage') : languageName(language, i18n.language)}
          </Fact>
          <Fact name={t('facts.outline')}>
            {outline === 0
              ? t('facts.noOutline')
              : t('facts.outlineEntries', { count: outline, figure: format.count(outline) })}
          </Fact>
          <Fact name={t('facts.tagged')}>{publication.is_tagged ? t('facts.isTagged') : t('facts.notTagged')}</Fact>
          <Fact name={t('facts.version')}>{format.count(publication.version)}</Fact>
          <Fact name={t('field.updated')}>{format.dateTime(publication.updated_at)}</Fact>
          <Fact name="SHA-256">
            <Code fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {publication.sha256}
            </Code>
          </Fact>
        </Table.Tbody>
      </Table>
    </Paper>
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
