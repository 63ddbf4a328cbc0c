import type { erasures as english } from '../../en/administration/erasures.ts'
import type { TextsOf } from '../../en/texts-of.ts'

/** The erasure of personal data, and its receipts. */
export const erasures: TextsOf<typeof english> = {
  'erasures.title': 'Données personnelles',
  'erasures.explanation':
    'Efface toutes les données d’une personne, d’après le user_id de ses traces. Chaque effacement laisse un reçu, qui ne contient pas le user_id. Un événement peut aussi effacer ses traces de lui-même : voir ses paramètres.',
  'erasures.open': 'Effacer des données personnelles',
  'erasures.erase': 'Effacer les données d’une personne',
  'erasures.empty': 'Rien n’a été effacé',
  'erasures.emptyHelp': 'Les reçus des effacements apparaissent ici.',
  'erasures.more': 'Afficher des reçus plus anciens',
  'erasures.receipts': 'Reçus',
  'erasures.receipt': 'Reçu d’un effacement',
  'erasures.number': 'Numéro',
  'erasures.kind': 'Motif',
  'erasures.of.person': 'Données d’une personne',
  'erasures.of.retention': 'Durée de conservation de l’événement',
  'erasures.started': 'Début',
  'erasures.finished': 'Fin',
  'erasures.running': 'en cours',
  'erasures.runningHelp': 'Cet effacement est en cours. Il se poursuit même sans cette page.',
  'erasures.by': 'Demandé par',
  'erasures.byCommand': 'La commande d’administration',
  'erasures.mac': 'Personne (HMAC)',
  'erasures.user': 'user_id',
  'erasures.userHelp': 'Exactement comme dans les traces, les jetons ou la liste de départ.',
  'erasures.userMissing': 'Saisissez le user_id.',
  'erasures.where': 'Où',
  'erasures.everywhere': 'Tous les événements',
  'erasures.deletedEvent': 'Un événement supprimé',
  'erasures.look': 'Afficher les données',
  'erasures.nothing': 'Aucune donnée sur cette personne',
  'erasures.nothingHelp': 'Vérifiez l’orthographe. Les majuscules et les espaces comptent.',
  'erasures.confirm': 'Effacer les données de {{user}}',
  'erasures.confirmHelp':
    'Ces données sont supprimées définitivement, y compris des résultats et des liens de partage. Les jetons de la personne cessent de fonctionner. Cette action est irréversible.',
  'erasures.eraseForGood': 'Effacer définitivement',
  'erasures.typeUser': 'Saisissez le user_id pour confirmer',
  'erasures.data': 'Données',
  'erasures.tracks': 'Traces',
  'erasures.points': 'Points',
  'erasures.span': 'Période',
  'erasures.events': 'Événements',
  'erasures.rows.runners': 'Inscriptions sur des listes de départ',
  'erasures.rows.app_tokens': 'Jetons',
  'erasures.rows.shares': 'Liens de partage',
  'erasures.rows.phone_recordings': 'Enregistrements d’applications',
  'erasures.rows.phone_devices': 'Téléphones',
  'erasures.rows.webhook_deliveries': 'Messages aux webhooks',
  'erasures.rows.idempotency_keys': 'Réponses mémorisées',
  'erasures.inDatabase': 'Lignes dans la base de données : {{rows}}.',
  'erasures.remains': 'Où des copies peuvent subsister',
  'erasures.remains.backups':
    'Les sauvegardes antérieures à l’effacement, jusqu’à leur suppression. Après en avoir restauré une, effacez de nouveau.',
  'erasures.remains.upgrade_copies':
    'Les copies dans DATA_DIR/before-upgrade, jusqu’à ce que d’autres mises à jour les remplacent.',
  'erasures.remains.audit_log':
    'Le journal d’audit, avec les noms de ce que les opérateurs ont modifié, jusqu’à la fin de sa conservation.',
  'erasures.remains.database_log':
    'SQLite : jusqu’au prochain entretien, dans l’heure environ. PostgreSQL : les lignes mortes jusqu’au vacuum, et le journal des transactions avec ses archives.',
  'erasures.remains.proxy_logs':
    'Les journaux d’accès d’un proxy, qui peuvent contenir des adresses de traces et de partages.',
  'erasures.remains.webhook_receivers':
    'Les destinataires des webhooks, qui ont reçu les identifiants des traces supprimées.',
  'erasures.remains.downloads':
    'Les fichiers et impressions faits à partir de traces, de résultats ou de listes de départ.',
  'erasures.verify': 'De qui est ce reçu ?',
  'erasures.verifyHelp': 'Compare un user_id au reçu. Rien n’est enregistré.',
  'erasures.check': 'Vérifier',
  'erasures.matches.yes': 'Oui, ce reçu est celui de cette personne.',
  'erasures.matches.no': 'Non, ce reçu est celui de quelqu’un d’autre.',
  'erasures.matches.unknown': 'Cela ne peut plus être vérifié, car le secret du serveur est perdu.',
}
