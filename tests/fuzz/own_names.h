/*
 * own_names.h - other names for the functions of src/server/wasm that stand in for libraries, so that
 * a program can have the library as well.
 * SPDX-License-Identifier: MIT
 *
 * Those files are compiled with this header first: -include.
 */
#ifndef OWN_NAMES_H
#define OWN_NAMES_H

#define json_array own_json_array
#define json_array_append_new own_json_array_append_new
#define json_array_get own_json_array_get
#define json_array_size own_json_array_size
#define json_delete own_json_delete
#define json_dump_callback own_json_dump_callback
#define json_dumps own_json_dumps
#define json_false own_json_false
#define json_integer own_json_integer
#define json_integer_value own_json_integer_value
#define json_loadb own_json_loadb
#define json_loads own_json_loads
#define json_null own_json_null
#define json_number_value own_json_number_value
#define json_object own_json_object
#define json_object_get own_json_object_get
#define json_object_iter own_json_object_iter
#define json_object_iter_key own_json_object_iter_key
#define json_object_iter_next own_json_object_iter_next
#define json_object_iter_value own_json_object_iter_value
#define json_object_key_to_iter own_json_object_key_to_iter
#define json_object_set_new own_json_object_set_new
#define json_object_size own_json_object_size
#define json_object_update own_json_object_update
#define json_pack own_json_pack
#define json_real own_json_real
#define json_real_value own_json_real_value
#define json_sprintf own_json_sprintf
#define json_string own_json_string
#define json_string_length own_json_string_length
#define json_string_nocheck own_json_string_nocheck
#define json_string_value own_json_string_value
#define json_stringn own_json_stringn
#define json_stringn_nocheck own_json_stringn_nocheck
#define json_to_text own_json_to_text
#define json_true own_json_true
#define json_vsprintf own_json_vsprintf

#define crypto_hash_sha256 own_crypto_hash_sha256
#define crypto_hash_sha256_final own_crypto_hash_sha256_final
#define crypto_hash_sha256_init own_crypto_hash_sha256_init
#define crypto_hash_sha256_update own_crypto_hash_sha256_update
#define ZSTD_CCtx_setParameter own_ZSTD_CCtx_setParameter
#define ZSTD_compress own_ZSTD_compress
#define ZSTD_compressBound own_ZSTD_compressBound
#define ZSTD_compressCCtx own_ZSTD_compressCCtx
#define ZSTD_compressStream2 own_ZSTD_compressStream2
#define ZSTD_createCCtx own_ZSTD_createCCtx
#define ZSTD_createCStream own_ZSTD_createCStream
#define ZSTD_createDStream own_ZSTD_createDStream
#define ZSTD_decompress own_ZSTD_decompress
#define ZSTD_decompressStream own_ZSTD_decompressStream
#define ZSTD_freeCCtx own_ZSTD_freeCCtx
#define ZSTD_freeCStream own_ZSTD_freeCStream
#define ZSTD_freeDStream own_ZSTD_freeDStream
#define ZSTD_getErrorName own_ZSTD_getErrorName
#define ZSTD_getFrameContentSize own_ZSTD_getFrameContentSize
#define ZSTD_isError own_ZSTD_isError

#endif
