/** The namespace of XML Schema datatypes. */
export const XSD = 'http://www.w3.org/2001/XMLSchema#';

export const RDF_NS = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

/** IRIs of the XML Schema datatypes that SPARQL knows by meaning. */
export const xsd = {
  string: 'http://www.w3.org/2001/XMLSchema#string',
  boolean: 'http://www.w3.org/2001/XMLSchema#boolean',
  integer: 'http://www.w3.org/2001/XMLSchema#integer',
  decimal: 'http://www.w3.org/2001/XMLSchema#decimal',
  float: 'http://www.w3.org/2001/XMLSchema#float',
  double: 'http://www.w3.org/2001/XMLSchema#double',
  dateTime: 'http://www.w3.org/2001/XMLSchema#dateTime',
  dateTimeStamp: 'http://www.w3.org/2001/XMLSchema#dateTimeStamp',
  date: 'http://www.w3.org/2001/XMLSchema#date',
  time: 'http://www.w3.org/2001/XMLSchema#time',
  gYear: 'http://www.w3.org/2001/XMLSchema#gYear',
  gYearMonth: 'http://www.w3.org/2001/XMLSchema#gYearMonth',
  gMonth: 'http://www.w3.org/2001/XMLSchema#gMonth',
  gMonthDay: 'http://www.w3.org/2001/XMLSchema#gMonthDay',
  gDay: 'http://www.w3.org/2001/XMLSchema#gDay',
  duration: 'http://www.w3.org/2001/XMLSchema#duration',
  dayTimeDuration: 'http://www.w3.org/2001/XMLSchema#dayTimeDuration',
  yearMonthDuration: 'http://www.w3.org/2001/XMLSchema#yearMonthDuration',
} as const;

/** IRI of the datatype of literals with a language tag. */
export const RDF_LANG_STRING: string = `${RDF_NS}langString`;
