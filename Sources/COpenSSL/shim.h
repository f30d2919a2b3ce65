#pragma once
#include <malloc.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

// A plain heap that wipes what it takes back. OpenSSL 3.0 keeps key scalars in its secure heap, but
// frees some working copies unwiped: the window digits of ECDH's point multiplication, for one, are
// the private scalar itself in little-endian order. They are inlines so that the allocator stays
// free of Swift's run time.

static inline void latchkey_wiping_free(void *block, const char *file, int line) {
  (void)file;
  (void)line;
  if (block == NULL) return;
  explicit_bzero(block, malloc_usable_size(block));
  free(block);
}

static inline void *latchkey_wiping_malloc(size_t count, const char *file, int line) {
  (void)file;
  (void)line;
  // OpenSSL's own allocator answers NULL for zero octets, and callers rely on it.
  return count == 0 ? NULL : malloc(count);
}

static inline void *latchkey_wiping_realloc(void *block, size_t count, const char *file, int line) {
  if (block == NULL) return latchkey_wiping_malloc(count, file, line);
  if (count == 0) {
    latchkey_wiping_free(block, file, line);
    return NULL;
  }
  size_t held = malloc_usable_size(block);
  if (count <= held && held <= 2 * count) return block;
  void *moved = malloc(count);
  if (moved == NULL) return NULL;
  memcpy(moved, block, held < count ? held : count);
  latchkey_wiping_free(block, file, line);
  return moved;
}

// Returns 1, or 0 when OpenSSL has already allocated something.
static inline int latchkey_install_wiping_heap(void) {
  return CRYPTO_set_mem_functions(
      latchkey_wiping_malloc, latchkey_wiping_realloc, latchkey_wiping_free);
}

// Makes a P-256 key from its 65-octet point and, for a private key, its scalar as 32 octets in
// native order (NULL for a public key). Parameters are built on the stack: OpenSSL's importer copies
// the scalar straight into a BIGNUM of the secure heap. Returns NULL on failure.
static inline EVP_PKEY *latchkey_p256_import(unsigned char *point, unsigned char *native_scalar) {
  char group[] = SN_X9_62_prime256v1;
  OSSL_PARAM parameters[4];
  int count = 0;
  parameters[count++] =
      OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, sizeof group - 1);
  parameters[count++] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, 65);
  if (native_scalar != NULL)
    parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native_scalar, 32);
  parameters[count] = OSSL_PARAM_construct_end();
  int selection = native_scalar != NULL ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
      EVP_PKEY_fromdata(context, &key, selection, parameters) != 1) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

// Makes a P-256 public key from its point and any other public key of the curve. Copying the curve
// from that one costs a quarter of building it by name, which is what an import does.
static inline EVP_PKEY *latchkey_p256_public(EVP_PKEY *model, const unsigned char *point) {
  EVP_PKEY *key = EVP_PKEY_dup(model);
  if (key != NULL && EVP_PKEY_set1_encoded_public_key(key, point, 65) != 1) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  return key;
}

// Makes a random P-256 key on the curve of `model` and writes its point. Returns NULL on failure.
static inline EVP_PKEY *latchkey_p256_generate(EVP_PKEY *model, unsigned char *point) {
  EVP_PKEY *key = NULL;
  size_t count = 0;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_pkey(NULL, model, NULL);
  if (context == NULL || EVP_PKEY_keygen_init(context) != 1 ||
      EVP_PKEY_keygen(context, &key) != 1 ||
      EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, 65, &count) != 1 ||
      count != 65) {
    EVP_PKEY_free(key);
    key = NULL;
  }
  EVP_PKEY_CTX_free(context);
  return key;
}

// Writes a private key's scalar, 32 octets in native order, straight to `native_scalar`; returns 1.
static inline int latchkey_p256_scalar(const EVP_PKEY *key, unsigned char *native_scalar) {
  OSSL_PARAM parameters[2];
  parameters[0] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native_scalar, 32);
  parameters[1] = OSSL_PARAM_construct_end();
  return EVP_PKEY_get_params(key, parameters) == 1 && parameters[0].return_size == 32;
}

// Writes the 65-octet point of a big-endian scalar; returns 1. The BIGNUM is of the secure heap.
static inline int latchkey_p256_point(
    const EC_GROUP *group, const unsigned char *scalar, unsigned char *point) {
  int done = 0;
  BIGNUM *number = BN_secure_new();
  BN_CTX *context = BN_CTX_secure_new();
  EC_POINT *product = EC_POINT_new(group);
  if (number != NULL && context != NULL && product != NULL && BN_bin2bn(scalar, 32, number) != NULL) {
    BN_set_flags(number, BN_FLG_CONSTTIME);
    done = EC_POINT_mul(group, product, number, NULL, NULL, context) == 1 &&
           EC_POINT_point2oct(
               group, product, POINT_CONVERSION_UNCOMPRESSED, point, 65, context) == 65;
  }
  EC_POINT_free(product);
  BN_CTX_free(context);
  BN_clear_free(number);
  return done;
}

// Adds one extension by its text, critical or not as the text says; returns 1.
static inline int latchkey_x509_extend(X509 *certificate, X509V3_CTX *context, int nid, const char *text) {
  X509_EXTENSION *extension = X509V3_EXT_nconf_nid(NULL, context, nid, text);
  int done = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return done;
}

// Makes the certificate of an authority that signs itself, with a common name in UTF-8 and dates in
// Unix time. Its authority key identifier is left out, as RFC 5280 allows for a self-signed one.
// Returns NULL on failure.
static inline X509 *latchkey_x509_authority(
    EVP_PKEY *key, const unsigned char *name, int count, time_t not_before, time_t not_after) {
  X509 *certificate = X509_new();
  if (certificate == NULL) return NULL;
  X509_NAME *subject = X509_get_subject_name(certificate);
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  if (X509_set_version(certificate, X509_VERSION_3) == 1 &&
      ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1 &&
      ASN1_TIME_set(X509_getm_notBefore(certificate), not_before) != NULL &&
      ASN1_TIME_set(X509_getm_notAfter(certificate), not_after) != NULL &&
      X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, name, count, -1, 0) == 1 &&
      X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1 &&
      latchkey_x509_extend(certificate, &context, NID_basic_constraints, "critical,CA:TRUE,pathlen:0") &&
      latchkey_x509_extend(certificate, &context, NID_key_usage, "critical,keyCertSign") &&
      latchkey_x509_extend(certificate, &context, NID_subject_key_identifier, "hash") &&
      X509_sign(certificate, key, EVP_sha256()) > 0)
    return certificate;
  X509_free(certificate);
  return NULL;
}
